"""What a server writes to its stderr."""

from io import StringIO

from askfirst.cli.server_log import ServerLog


def test_the_last_lines_are_kept_and_made_plain() -> None:
    stream = StringIO()
    log = ServerLog(verbose=False, stream=stream)
    with log.pipe() as errlog:
        errlog.write("".join(f"line {number}\n\n" for number in range(100)))
        errlog.write("the \x1b[2Jend, without a newline")
    assert log.tail[-2:] == ("line 99", "the end, without a newline")
    assert len(log.tail) == 20
    assert stream.getvalue() == ""


def test_a_line_that_never_ends_is_cut() -> None:
    log = ServerLog(verbose=False)
    with log.pipe() as errlog:
        errlog.write("x" * 1_000_000)
    assert {len(line) for line in log.tail} == {500}


def test_a_verbose_log_passes_everything_on() -> None:
    stream = StringIO()
    log = ServerLog(verbose=True, stream=stream)
    with log.pipe() as errlog:
        errlog.write("one\ntwo\n")
    assert stream.getvalue() == "one\ntwo\n"


def test_nothing_is_written_over_a_question() -> None:
    stream = StringIO()
    log = ServerLog(verbose=True, stream=stream)
    with log.standing_still():
        with log.pipe() as errlog, log.standing_still():
            errlog.write("one\n")
        assert stream.getvalue() == ""
    assert stream.getvalue() == "one\n"


def test_a_traceback_keeps_its_indentation() -> None:
    log = ServerLog(verbose=False)
    with log.pipe() as errlog:
        errlog.write("Traceback:\n    nowhere()\n    ^^^\n")
    assert list(log.last_words())[1:] == ["  | Traceback:", "  |     nowhere()", "  |     ^^^"]
