import { EXIT_CODES } from '../clause/run-record.ts';
import { printError } from './output.ts';

/** Aborted with its name at the first SIGINT or SIGTERM; the second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (name: 'SIGINT' | 'SIGTERM'): void => {
    if (controller.signal.aborted) process.exit(name === 'SIGINT' ? EXIT_CODES.interrupted : EXIT_CODES.terminated);
    printError(`${name}: finishing what is under way, then writing the reports (again to stop at once)`);
    controller.abort(name);
  };
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGTERM', () => stop('SIGTERM'));
  return controller.signal;
}
