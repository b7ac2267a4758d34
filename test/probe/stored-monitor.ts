import { DatabaseSync } from 'node:sqlite';

/** Shared by the tests of a monitor's files. */

export const FAILURES = 'petstore_probe_history_write_failures_total';

/** A monitor that keeps its files in `data`, and alerts. */
export function storedMonitor(baseUrl: string, webhook: string): string {
  return `server: { port: 0 }
data: { folder: data }
webhooks:
  - { name: on-call, url: "${webhook}", secret: env:SECRET }
targets:
  - { name: production, baseUrl: "${baseUrl}", apiKey: env:KEY, interval: 1s, latencyLimit: 10s }
`;
}

/** SQLite's integrity check of a file: `ok` if it is sound. */
export function integrity(file: string): unknown {
  const database = new DatabaseSync(file);
  try {
    return database.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  } finally {
    database.close();
  }
}
