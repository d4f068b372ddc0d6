"""What can't happen through a client, shown on the question itself."""

import pytest

from askfirst.core.errors import InvalidAnswer
from askfirst.server.posing import UrlAsk


def test_a_url_question_has_no_content_that_could_be_wrong() -> None:
    with pytest.raises(InvalidAnswer, match="no content that could be wrong"):
        UrlAsk("Pay.", "https://pay.example.com/1", "id-1").again([])
