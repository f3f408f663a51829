import type { MissionPage } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText } from '../../traces/amounts';
import { Facts } from '../[id]/block';

/** The cost of a mission, and its own settings; no cost before its first verification. */
export function MissionFacts({ page }: { page: MissionPage }) {
  return <Facts list={factsOf(page)} />;
}

type Fact = Parameters<typeof Facts>[0]['list'][number];

function factsOf({ mission, settings }: MissionPage): readonly Fact[] {
  const { judge, reviewAboveUsd } = settings;
  return [
    ...(mission === null ? [] : costFacts(mission)),
    [
      'Judge',
      judge === null ? (
        'Default judge of the project'
      ) : (
        <code key="judge" className="text-12 font-mono">
          <VisibleText text={judge} />
        </code>
      ),
    ],
    [
      'Human review',
      reviewAboveUsd === null ? 'No cost limit' : `Above ${costText(reviewAboveUsd)}`,
    ],
  ];
}

function costFacts({
  tasks,
  counts,
  workUsd,
  judgingUsd,
  priceUnknown,
}: NonNullable<MissionPage['mission']>): readonly Fact[] {
  return [
    ['Tasks', tasks.toLocaleString('en')],
    ['Work', workUsd === null ? 'Unknown' : costText(workUsd)],
    ['Judging', `${priceUnknown ? 'At least ' : ''}${costText(judgingUsd)}`],
    ['Awaiting review', counts.awaitingReview.toLocaleString('en')],
  ];
}
