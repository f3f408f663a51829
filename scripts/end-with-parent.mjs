// Preloaded into `next start` (node --import): if the supervisor is killed, the console ends like
// the other processes instead of keeping its port.
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), 10_000).unref();
});
// Listening for the end of the supervisor must not keep an otherwise finished process alive.
process.channel?.unref();
