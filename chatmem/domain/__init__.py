"""The values chatmem thinks in: turns, sessions, memories, change sets, errors. Pure; nothing here does I/O."""
