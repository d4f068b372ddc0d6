"""`python -m askfirst` and the script `askfirst` are the same command."""

import signal

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit; see `askfirst.cli.main`."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # it may be ignored, as in the background of a script
        # Until all is imported, Ctrl-C ends the process as it ends any: without a traceback of half an import.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from askfirst import cli

    signal.signal(signal.SIGINT, before)
    cli.main()


if __name__ == "__main__":
    main()
