import { category, flag, letters, many, one, text, whole } from './option-spec.ts';

const WEEK = 7 * 24 * 3_600_000;
const milliseconds = { least: 1, most: WEEK, unit: ' (milliseconds)' };

/** The options that say which service is judged, and at what load. */
export const targetOptions = {
  baseUrl: one<string | undefined>({
    flags: '--base-url <url>',
    help: 'the service, with /v1 at the end',
    fallback: undefined,
    parse: text,
  }),
  reference: one({
    flags: '--reference',
    help: 'judge the built-in reference server instead',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  fault: many<string>({
    flags: '--fault <name>',
    help: 'with --reference: give it this defect (see `list faults`)',
    shownDefault: 'none',
    fallback: [],
    parse: text,
  }),
  variant: many<string>({
    flags: '--variant <name>',
    help: 'with --reference: let it choose this where the document is silent (see `list variants`)',
    shownDefault: 'none',
    fallback: [],
    parse: text,
  }),
  apiKeyFile: one<string | undefined>({
    flags: '--api-key-file <file>',
    help: 'file with the API key; PETSTORE_API_KEY holds the key itself',
    fallback: undefined,
    parse: text,
  }),
  readOnly: one({
    flags: '--read-only',
    help: 'create nothing; checks that need creation are inconclusive',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  productionBaseUrl: one<string | undefined>({
    flags: '--production-base-url <url>',
    help: 'the production service, which a run never writes to',
    fallback: undefined,
    parse: text,
  }),
  allowProductionWrites: one({
    flags: '--allow-production-writes',
    help: 'create animals there anyway',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  maxCreates: one({
    flags: '--max-creates <n>',
    help: 'animals that the run may create; none can be deleted',
    fallback: 250,
    parse: whole({ least: 0, most: 100_000, unit: '' }),
  }),
  namePrefix: one({
    flags: '--name-prefix <text>',
    help: 'start of the names of created animals',
    fallback: 'conformance',
    parse: letters,
  }),
  categoryId: many<bigint>({
    flags: '--category-id <n>',
    help: 'a category that the service accepts',
    shownDefault: 'discovered',
    fallback: [],
    parse: category,
  }),
  concurrency: one({
    flags: '--concurrency <n>',
    help: 'concurrent requests; if 8 or more, up to five times as many where latency is high',
    fallback: 8,
    parse: whole({ least: 1, most: 256, unit: '' }),
  }),
  timeout: one({
    flags: '--timeout <ms>',
    help: 'timeout of one request, from DNS to the last byte of the body',
    fallback: 10_000,
    parse: whole(milliseconds),
  }),
  consistencyWindow: one({
    flags: '--consistency-window <ms>',
    help: 'how long a created animal may take to become visible',
    fallback: 2_000,
    parse: whole({ ...milliseconds, least: 0 }),
  }),
  waitForReady: one({
    flags: '--wait-for-ready <ms>',
    help: 'wait for the service to respond before judging',
    fallback: 0,
    parse: whole({ ...milliseconds, least: 0 }),
  }),
  rate: one({
    flags: '--rate <n>',
    help: 'maximum requests per second',
    shownDefault: 'no bound',
    fallback: 0,
    parse: whole({ least: 1, most: 1_000_000, unit: '' }),
  }),
  deadline: one<number | undefined>({
    flags: '--deadline <seconds>',
    help: 'ends the run with what was judged by then, exit 3; 0 for none. Waiting for the service to become ready does not count',
    shownDefault: '300, more where a rate needs it',
    fallback: undefined,
    parse: whole({ least: 0, most: WEEK / 1000, unit: ' (seconds)' }),
  }),
  ca: one<string | undefined>({
    flags: '--ca <file>',
    help: 'PEM file of additional certificates to trust',
    fallback: undefined,
    parse: text,
  }),
  noTrace: one({
    flags: '--no-trace',
    help: 'do not send traceparent headers, by which a service can find the requests of a run in its logs',
    fallback: false,
    parse: flag,
    flag: true,
  }),
  proxy: one<string | undefined>({
    flags: '--proxy <url>',
    help: 'HTTP proxy to go through, or "none"',
    shownDefault: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    fallback: undefined,
    parse: text,
  }),
} as const;
