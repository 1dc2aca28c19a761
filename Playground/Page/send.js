// The engine's text is complete: its worker need not wait for the rest of the page.
if (firstWorker) sendEngine(firstWorker);
