import { readFileSync } from 'node:fs';

// The build puts this file one folder deeper (dist/), next to a copy of schemas/.
const FOLDER = new URL('../../schemas/', import.meta.url);

/** A file of schemas/. */
export function readSchema(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Record<string, unknown>;
}
