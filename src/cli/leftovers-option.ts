import type { RunConfiguration } from './session-options.ts';
import type { Target } from './target.ts';
import { UsageError } from './usage-error.ts';

/** Ids of the animals that earlier runs created, from the reports that `--leftovers` names. Throws UsageError for a report of another service. */
export async function readLeftovers({ leftovers }: RunConfiguration, { baseUrl }: Target): Promise<readonly string[]> {
  if (leftovers.length === 0) return [];
  const { readReport } = await import('./read-report.ts');
  return leftovers.flatMap((file) => {
    const { target, animals } = readReport(file);
    if (target.baseUrl !== baseUrl)
      throw new UsageError(`--leftovers: ${file} is the report of a run on ${target.baseUrl}; name one of a run on ${baseUrl}`);
    return animals.created.map(({ id }) => id);
  });
}
