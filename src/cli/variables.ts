import { editDistance } from './nearest-name.ts';
import type { Environment } from './option-spec.ts';
import { variableOf } from './option-spec.ts';
import { allOptions } from './options.ts';
import { UsageError } from './usage-error.ts';

const KNOWN: readonly string[] = [...Object.values(allOptions).map(variableOf), 'PETSTORE_API_KEY', 'PETSTORE_RUN_TAG'];
const PREFIX = 'PETSTORE_';
const NEAR = 2;
/**
 * Variables that Kubernetes sets in every container for a service whose name begins this way: PETSTORE_SERVICE_HOST,
 * PETSTORE_API_PORT_80_TCP_ADDR.
 */
const SERVICE_LINK = /^PETSTORE(?:_\w+)?_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
const LINKED_PORT = /^PETSTORE(?:_\w+)?_PORT$/;

/** Letters only: case, underscores, and hyphens are the most common mistakes. */
const bare = (name: string): string => name.replaceAll(/[_-]/g, '').toUpperCase();

/** The known variable that a name was meant to be, or undefined. In a short name, two edits would match anything. */
function meantBy(name: string): string | undefined {
  const near = KNOWN.map((known) => ({
    known,
    distance: Math.min(editDistance(name.toUpperCase(), known), editDistance(bare(name), bare(known))),
    most: Math.min(NEAR, Math.floor((known.length - PREFIX.length) / 2)),
  }));
  return near.filter(({ distance, most }) => distance <= most).toSorted((a, b) => a.distance - b.distance)[0]?.known;
}

function isServiceLink(name: string, value: string | undefined): boolean {
  return SERVICE_LINK.test(name) || (LINKED_PORT.test(name) && /^(?:tcp|udp|sctp):\/\//.test(value ?? ''));
}

/** Where variables come from: `.env` is written for this program, the process environment for others too. */
export type Sources = { readonly file: Environment; readonly process: Environment; readonly alsoKnown: readonly string[] };

/**
 * Warnings about PETSTORE_ variables that nothing reads. Throws UsageError if one is a typo, or is in `.env`: an option that was meant to
 * spare a service must not be ignored.
 */
export function checkVariables({ file, process, alsoKnown }: Sources): string[] {
  const warnings: string[] = [];
  for (const [name, value] of Object.entries({ ...file, ...process })) {
    if (!/^petstore/i.test(name) || KNOWN.includes(name) || alsoKnown.includes(name) || isServiceLink(name, value)) continue;
    const meant = meantBy(name);
    if (meant !== undefined) throw new UsageError(`the variable ${name} is unknown; did you mean ${meant}?`);
    if (Object.hasOwn(file, name))
      throw new UsageError(`the variable ${name} in .env is unknown; "run --help" lists the options, and each has a variable`);
    warnings.push(`the variable ${name} is unknown and has no effect`);
  }
  return warnings;
}
