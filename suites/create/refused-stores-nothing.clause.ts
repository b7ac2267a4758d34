import { defineClause } from '../define.ts';
import { judgeNamedRejections, judgeRejectedNames } from './named-rejections.ts';
import { judgeNamelessRejections } from './nameless-rejections.ts';
import { judgeShownRejection } from './shown-rejection.ts';

export const createRefusedStoresNothing = defineClause({
  id: 'create.refused-stores-nothing',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: [
    'Success: `201`, body is the created Pet, including the assigned `id`.',
    '`400` with an Error body when the body is missing required fields or contains invalid values',
  ],
  level: 'implied',
  derivation:
    'The document lists 400 as a failure of createPet, as opposed to the success "body is the created Pet". A creation that failed has created nothing and changed nothing.',
  requirement: 'A rejected creation stores no animal, whatever the reason (even one that the document leaves open), and removes none.',
  likelyCause:
    'Validation runs after the insert, the transaction is not rolled back, or the rollback undoes more than the rejected creation.',
  checks: [
    {
      id: 'named',
      title: 'Rejected bodies with a name leave no animal with that name',
      step: 'write',
      given: ['creation', 'readBack', 'create.name-required'],
      effect: 'write',
      fault: 'refused-status-stored',
      run: judgeNamedRejections,
    },
    {
      id: 'nameless',
      title: 'Rejected bodies without a name leave no nameless animal',
      step: 'write',
      given: ['creation', 'list', 'create.name-required', 'create.success'],
      effect: 'write',
      fault: 'refused-name-stored',
      run: judgeNamelessRejections,
    },
    {
      id: 'at-the-end',
      title: 'At the end of the run, the lists show no name of a rejected creation',
      step: 'final',
      given: ['creation', 'readBack', 'create.name-type'],
      effect: 'write',
      fault: 'refused-creation-stored',
      run: judgeRejectedNames,
    },
  ],
  invariants: [
    {
      id: 'every-response',
      title: 'No list and no read shows an animal from a rejected creation',
      fault: 'refused-unknown-member-stored',
      judge: judgeShownRejection,
    },
  ],
});
