import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Program, startProcess, until } from '../probe/running-monitor.ts';

/** Shared by the tests with a real Alertmanager. */

/** The address that a program of the Prometheus family reports. */
export async function addressOf(program: Program): Promise<string> {
  const find = (): string | undefined => /msg="Listening on" address=(\S+)/.exec(program.output())?.[1];
  await until('the program listens', () => find() !== undefined, { details: program.output });
  return find() ?? '';
}

/** An alert as the API shows it. */
export type ShownAlert = {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly status: { readonly state: 'active' | 'suppressed' | 'unprocessed' };
};

export type RunningAlertmanager = Program & { readonly address: string; alerts(): Promise<readonly ShownAlert[]> };

/** Runs until the test is over; `at` is where an earlier one with the same folder listened. What is to be kept is written each second. */
export async function startAlertmanager(folder: string, config: string, at = '127.0.0.1:0'): Promise<RunningAlertmanager> {
  writeFileSync(join(folder, 'alertmanager.yml'), config);
  const flags = ['--config.file=alertmanager.yml', '--storage.path=alertmanager', `--web.listen-address=${at}`];
  const more = ['--cluster.listen-address=', '--data.maintenance-interval=1s'];
  const program = await startProcess(['prometheus-alertmanager', ...flags, ...more], { cwd: folder });
  const address = await addressOf(program);
  return {
    ...program,
    address,
    alerts: async () => (await (await fetch(`http://${address}/api/v2/alerts`)).json()) as readonly ShownAlert[],
  };
}

/** A message of Alertmanager to a webhook. */
export type Notification = {
  readonly status: 'firing' | 'resolved';
  readonly alerts: readonly {
    readonly status: 'firing' | 'resolved';
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  }[];
};
