"""What exists and how it lives: one file per noun, pure, without HTTP."""
