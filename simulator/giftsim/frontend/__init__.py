"""What the console and the pages that open offline share: their look, the time strip, and code written from calls."""
