// Preloaded into `next start` (node --import): should the supervisor be killed, the console ends as
// the other processes do, instead of holding its port.
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), 10_000).unref();
});
// Only the wish to hear of the supervisor's end must not keep a process alive that is otherwise
// done.
process.channel?.unref();
