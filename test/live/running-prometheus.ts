import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Program, startProcess, until } from '../probe/running-monitor.ts';

/** The folder of what is shipped for Prometheus. */
export const SHIPPED = 'deploy/prometheus';

/** The shipped rules with minutes replaced by seconds and hours by minutes; thresholds and expressions are unchanged. */
function hastened(rules: string): string {
  return rules
    .replaceAll(/\[(\d+)m\]/g, '[$1s]')
    .replaceAll(/\[(\d+)h\]/g, '[$1m]')
    .replaceAll(/^(\s+for: )(\d+)m$/gm, '$1$2s');
}

/** The address that a program of the Prometheus family reports. */
export async function addressOf(program: Program): Promise<string> {
  const find = (): string | undefined => /msg="Listening on" address=(\S+)/.exec(program.output())?.[1];
  await until('the program listens', () => find() !== undefined, { details: program.output });
  return find() ?? '';
}

type Alert = { readonly labels: Readonly<Record<string, string>>; readonly state: string };
type Active = { readonly labels: Readonly<Record<string, string>>; readonly scrapeInterval: string };
type Rule = { readonly name: string; readonly health: string; readonly lastError?: string };

/** A real Prometheus with the shipped rules, running until the test is over. */
export async function startPrometheus(folder: string, config: string) {
  writeFileSync(join(folder, 'petstore-probe.rules.yml'), hastened(readFileSync(join(SHIPPED, 'petstore-probe.rules.yml'), 'utf8')));
  writeFileSync(join(folder, 'prometheus.yml'), config);
  const flags = ['--config.file=prometheus.yml', '--storage.tsdb.path=prometheus', '--web.listen-address=127.0.0.1:0'];
  const program = await startProcess(['prometheus', ...flags], { cwd: folder });
  const address = await addressOf(program);
  await until('Prometheus is ready', async () => (await fetch(`http://${address}/-/ready`)).ok, { details: program.output });
  const ask = async (path: string): Promise<unknown> => {
    const answer = (await (await fetch(`http://${address}/api/v1/${path}`)).json()) as { data?: unknown };
    return answer.data;
  };
  return {
    output: program.output,
    value: async (query: string): Promise<string | undefined> => {
      const data = (await ask(`query?query=${encodeURIComponent(query)}`)) as { result: { value: [number, string] }[] } | undefined;
      return data?.result[0]?.value[1];
    },
    firing: async (): Promise<string[]> => {
      const data = (await ask('alerts')) as { alerts: Alert[] } | undefined;
      return (data?.alerts ?? []).filter(({ state }) => state === 'firing').map(({ labels }) => labels['alertname'] ?? '');
    },
    /** Each target with its interval. */
    targets: async (): Promise<string[]> => {
      const { activeTargets } = (await ask('targets?state=active')) as { activeTargets: Active[] };
      return activeTargets.map(({ labels, scrapeInterval }) => `${labels['target']} ${scrapeInterval}`);
    },
    rules: async (): Promise<Rule[]> => ((await ask('rules')) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules),
  };
}
