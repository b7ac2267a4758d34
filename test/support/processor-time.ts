/** Milliseconds of a processor that the work takes: unlike those of the wall clock, others who keep the machine busy add none. */
export function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
