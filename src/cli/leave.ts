import { EXIT_CODES } from '../clause/run-record.ts';
import { exit } from './output.ts';

/** Ends the process for an error that nothing handles. Node would exit with 1, which says that the service is wrong. */
export function leave(error: unknown): void {
  import('./failed-command.ts')
    .then(({ explainFailure }) => exit(explainFailure(error)))
    // An error of the explanation would come back here, again and again.
    .catch(() => process.exit(EXIT_CODES.unjudged));
}
