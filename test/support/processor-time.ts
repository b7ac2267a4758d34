/** Processor time of the work in milliseconds: unlike wall clock time, other load adds nothing to it. */
export function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
