import { agreementFaults } from './agreement.ts';
import { answerFaults } from './answers.ts';
import { authenticationElsewhereFaults } from './authentication-elsewhere.ts';
import { authenticationKeyFaults } from './authentication-key.ts';
import { authenticationMemoryFaults } from './authentication-memory.ts';
import { authenticationMissingFaults } from './authentication-missing.ts';
import { authenticationOrderFaults } from './authentication-order.ts';
import { authenticationSchemeFaults } from './authentication-scheme.ts';
import { createAnswerFaults } from './create-answer.ts';
import { createBindingFaults } from './create-bindings.ts';
import { createBodyFaults, createBodyObjectFaults, createRefusedFaults } from './create-body.ts';
import { createCategoryFaults } from './create-categories.ts';
import { createConcurrentFaults } from './create-concurrent.ts';
import { createCategoryFieldFaults, createNameFieldFaults, createStatusFieldFaults } from './create-fields.ts';
import { createNameFaults } from './create-names.ts';
import { createOpenFaults } from './create-open.ts';
import { createIdFaults, createStatusFaults, createStoreFaults } from './create-store.ts';
import { deprecationFaults } from './deprecation.ts';
import { errorShapeFaults, errorStatusFaults } from './errors.ts';
import type { Fault } from './fault.ts';
import { filterCompleteFaults } from './filter-complete.ts';
import { filterUnusualFaults } from './filter-unusual.ts';
import { getFaults } from './get.ts';
import { getMissingFaults } from './get-missing.ts';
import { lifeFaults } from './lifetime.ts';
import { limitAcceptedFaults, limitFaults } from './limit.ts';
import { listFaults, listSuccessFaults } from './list.ts';
import { largeListFaults } from './list-large.ts';
import { listParameterFaults } from './list-parameters.ts';
import { mediaFormFaults, mediaNegotiationFaults, mediaTypeFaults } from './media.ts';
import { listBodyFaults, listRecordFaults, petRecordFaults } from './records.ts';
import { serverErrorFaults } from './server-errors.ts';
import { statusFilterFaults } from './status-filter.ts';

/** Every known fault, chapter by chapter. */
export const faults: readonly Fault[] = [
  ...agreementFaults,
  ...lifeFaults,
  ...answerFaults,
  ...authenticationElsewhereFaults,
  ...authenticationKeyFaults,
  ...authenticationMemoryFaults,
  ...authenticationMissingFaults,
  ...authenticationOrderFaults,
  ...authenticationSchemeFaults,
  ...createAnswerFaults,
  ...createBindingFaults,
  ...createBodyFaults,
  ...createBodyObjectFaults,
  ...createRefusedFaults,
  ...createCategoryFaults,
  ...createConcurrentFaults,
  ...createNameFieldFaults,
  ...createCategoryFieldFaults,
  ...createStatusFieldFaults,
  ...createNameFaults,
  ...createOpenFaults,
  ...createStatusFaults,
  ...createIdFaults,
  ...createStoreFaults,
  ...deprecationFaults,
  ...errorShapeFaults,
  ...errorStatusFaults,
  ...getFaults,
  ...getMissingFaults,
  ...limitAcceptedFaults,
  ...limitFaults,
  ...listSuccessFaults,
  ...listFaults,
  ...largeListFaults,
  ...listParameterFaults,
  ...mediaTypeFaults,
  ...mediaFormFaults,
  ...mediaNegotiationFaults,
  ...listRecordFaults,
  ...listBodyFaults,
  ...petRecordFaults,
  ...serverErrorFaults,
  ...statusFilterFaults,
  ...filterCompleteFaults,
  ...filterUnusualFaults,
];
