"""`python -m askfirst` is the command `askfirst`."""

from askfirst.cli import main

main()
