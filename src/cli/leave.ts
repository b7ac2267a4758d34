import { exit } from './output.ts';

/** Ends the process for an error that nothing handles. Node would exit with 1, which says that the service is wrong. */
export function leave(error: unknown): void {
  void import('./failed-command.ts').then(({ explainFailure }) => exit(explainFailure(error)));
}
