import type { Attributes } from '@opentelemetry/api';
import type { Sample } from './sample.ts';
import type { SmokeResult } from './smoke.ts';

/** A run and its trigger. */
export type ExportedRun = Pick<SmokeResult, 'sample'> & { readonly trigger: 'schedule' | 'probe'; readonly module?: string | undefined };

/** Sends completed runs to a trace collector, outside of the runs. */
export type SpanExport = {
  add(run: ExportedRun): void;
  /** Sends what is left, and waits at most a few seconds for it. */
  stop(): Promise<void>;
};

/** Reports failed exports; `redact` removes secrets from texts. */
export type SpanExportOptions = { readonly onProblem: (problem: string) => void; readonly redact: (text: string) => string };

export const NO_SPANS: SpanExport = { add: () => undefined, stop: async () => undefined };

/** The attributes of a span: only configured names and closed lists, as for the labels of metrics; no address, no id, no body. */
export function spanAttributes({ sample, trigger, module }: ExportedRun): Attributes {
  const { target, verdict, reason, clause, requests, httpStatus, clauses } = sample;
  return {
    'petstore.target': target,
    'petstore.trigger': trigger,
    'petstore.verdict': verdict,
    'petstore.requests': requests,
    'petstore.clauses.passed': clauses.pass,
    'petstore.clauses.failed': clauses.fail,
    ...(module === undefined ? {} : { 'petstore.module': module }),
    ...(reason === undefined ? {} : { 'petstore.reason': reason }),
    ...(clause === undefined ? {} : { 'petstore.clause': clause }),
    ...(httpStatus === 0 ? {} : { 'http.response.status_code': httpStatus }),
  };
}

/** The broken clauses of a run, each as an event of its span. */
export function spanEvents({ failures }: Sample): readonly Attributes[] {
  return failures.map(({ clause, check, level, reason }) => ({
    'petstore.clause': clause,
    'petstore.check': check,
    'petstore.level': level,
    'petstore.reason': reason,
  }));
}
