"""The desk's pages: plain forms that work without scripts."""
