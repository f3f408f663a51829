// The same as installed: without the content of messages.
process.env.WITHOUT_CONTENT = '1';
await import('./otel-openai.mjs');
