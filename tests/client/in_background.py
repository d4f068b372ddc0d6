"""Says whether somebody can be asked, in the foreground of a terminal and in its background."""

import os

from askfirst.client.tty import DEVICE, is_at_hand

print("FOREGROUND", is_at_hand(DEVICE), flush=True)
if (child := os.fork()) == 0:
    os.setpgid(0, 0)
    print("BACKGROUND", is_at_hand(DEVICE), flush=True)
    os._exit(0)
os.waitpid(child, 0)
