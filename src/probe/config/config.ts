import type { PlannedMaintenance } from '../alerts/maintenance.ts';
import type { Receiver, Webhook } from '../alerts/webhook.ts';
import type { Heartbeat } from '../heartbeat.ts';
import type { LogFormat } from '../log-line.ts';
import type { Target } from '../target.ts';
import type { Module } from './target-config.ts';

/** The configuration as the monitor uses it: secrets as functions, nothing optional. */
export type MonitorConfig = {
  readonly server: {
    readonly host: string;
    readonly port: number;
    /** That for reading, and that for what writes, which reads as well. */
    readonly tokens: { readonly read: (() => string) | undefined; readonly write: (() => string) | undefined };
    readonly publicUrl: string | undefined;
  };
  readonly data: { readonly folder: string; readonly maxBytes: number } | undefined;
  /** False: runs only take place for requests to /probe. */
  readonly schedule: boolean;
  readonly concurrentRuns: number;
  readonly dnsCanary: string | undefined;
  readonly log: LogFormat;
  readonly webhooks: readonly Webhook[];
  readonly alertmanagers: readonly Receiver[];
  readonly heartbeat: Heartbeat | undefined;
  readonly maintenance: readonly PlannedMaintenance[];
  readonly modules: ReadonlyMap<string, Module>;
  readonly targets: readonly Target[];
  /** For the operator: secret files that others can read, expired waivers. */
  readonly warnings: readonly string[];
  /** The current value of every secret: no output may contain one. */
  readonly secrets: () => readonly string[];
  /** The secret parts of addresses, which may have words of other texts in them: only whole ones are secret. */
  readonly addressParts: () => readonly string[];
};

/** A configuration that can't be used: each problem names the line and the field. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
