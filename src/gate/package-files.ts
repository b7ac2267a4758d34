import { readFileSync } from 'node:fs';

/** Whether it runs from source (.ts) in a clone, or built (.js) in the installed package, one folder deeper. */
const FROM_SOURCE = import.meta.url.endsWith('.ts');

const EXTENSION = FROM_SOURCE ? 'ts' : 'js';

export const SPEC_FILE: URL = new URL(`../../suites/conformance.test.${EXTENSION}`, import.meta.url);

export const THREAD_FILE: URL = new URL(`judging-thread.${EXTENSION}`, import.meta.url);

const ROOT = new URL(FROM_SOURCE ? '../../' : '../../../', import.meta.url);

const MANIFEST = new URL('package.json', ROOT);

/** Templates of CI pipelines, and of .env. */
export const CI_TEMPLATES: URL = new URL('deploy/ci/', ROOT);
export const ENVIRONMENT_TEMPLATE: URL = new URL('.env.example', ROOT);

export const toolVersion: string = (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }).version;
