"""From bytes to text: `decoding` calls the steps in their order."""
