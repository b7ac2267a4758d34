import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type MonitorConfig } from '../../src/probe/config/config.ts';
import { loadConfig } from '../../src/probe/config/load-config.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { ownFolder } from '../support/program.ts';

export const TODAY = new Date('2026-11-21T12:00:00Z');

/**
 * Loads a configuration from its text, with a variable KEY; returns its problems or its warnings, one per line, with FILE for the path of
 * the file.
 */
export function loadText(
  text: string,
  environment: Readonly<Record<string, string>> = {},
): { config: MonitorConfig | undefined; problems: string; warnings: string } {
  const file = join(ownFolder(), 'monitor.yaml');
  writeFileSync(file, text);
  const lines = (texts: readonly string[]): string => texts.join('\n').replaceAll(file, 'FILE');
  try {
    const config = loadConfig(file, { environment: { KEY: 'an-api-key', ...environment }, clauses, today: TODAY });
    return { config, problems: '', warnings: lines(config.warnings) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: undefined, problems: lines(error.problems), warnings: '' };
  }
}
