// The environment of a command, with what is said about it.

import { type LoadedEnvironment, loadEnvironment } from './environment.ts';
import { type Environment, type Flags, flagOf, UsageError, variableOf } from './option-spec.ts';
import { targetOptions } from './options.ts';
import { printError } from './output.ts';

/** Prints what a file of variables sets, and warnings; at once, because an error may be their consequence. */
export function announce({ file, fromFile, warnings }: LoadedEnvironment): void {
  if (fromFile.length > 0) printError(`from ${file}: ${fromFile.join(', ')}`);
  for (const warning of warnings) printError(`warning: ${warning}`);
}

/** Options that spare a service: one that is meant to must not be left out for being in the wrong place. */
const SPARING = ['readOnly', 'productionBaseUrl', 'maxCreates', 'rate', 'concurrency'] as const;

/** The environment of a command that may create animals. Throws UsageError if a variable that should spare the service has no effect. */
export function environmentOfWriter(flags: Flags): Environment {
  const loaded = loadEnvironment(flags);
  announce(loaded);
  const { ignored, file, environment } = loaded;
  if (flags['reference'] === true) return environment;
  const unacceptedFor = SPARING.filter((name) => flags[name] === undefined).find((name) =>
    ignored.includes(variableOf(targetOptions[name])),
  );
  if (unacceptedFor === undefined) return environment;
  const spec = targetOptions[unacceptedFor];
  throw new UsageError(
    `${variableOf(spec)} in ${file} is meant to spare the service, and has no effect, because the API key does not come from there: set it in the environment, or use ${flagOf(spec)}`,
  );
}
