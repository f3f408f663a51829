import type { ExperimentComparison } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { ToggleGroup } from '@/app/_ui/filter-bar';
import { Toggle } from '@/app/_ui/filter-fields';
import { Empty, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { DifferenceCells, RateCells } from './comparison-table';
import type { SliceBy } from './parsers';

const choices = [
  [null, 'No slices'],
  ['tag', 'By tag'],
  ['split', 'By split'],
] as const;

/** The same numbers in parts of the dataset. */
export function SlicesPanel({
  data: { runs, slices },
  slice,
  isBehind,
  onChange,
}: {
  data: ExperimentComparison;
  slice: SliceBy | null;
  isBehind: boolean;
  onChange: (slice: SliceBy | null) => void;
}) {
  const names = new Map(runs.map(({ id, name }) => [id, name]));
  return (
    <Panel
      title="Slices"
      aside={
        <ToggleGroup label="Slices">
          {choices.map(([by, name]) => (
            <Toggle key={name} on={slice === by} onChange={() => onChange(by)}>
              {name}
            </Toggle>
          ))}
        </ToggleGroup>
      }
    >
      {slice === null ? (
        <Empty title="The numbers are of all items.">
          <p>
            Choose tag or split to see where the difference comes from. More comparisons make every
            adjusted p larger.
          </p>
        </Empty>
      ) : slices === null || slices.length === 0 ? (
        <Empty title={isBehind ? 'Loading slices.' : `No item has a ${slice}.`} />
      ) : (
        <div aria-busy={isBehind} className={isBehind ? 'opacity-60' : ''}>
          <DataTable
            label={`Slices by ${slice}`}
            heads={[
              slice === 'tag' ? 'Tag' : 'Split',
              'Verifier',
              ...(runs.length > 2 ? ['Run'] : []),
              'Pass rate',
              'Corrected pass rate',
              'Difference, points',
              'p, adjusted',
              'Improved',
              'Regressed',
              'Same',
              'Unpaired',
            ]}
          >
            {slices.map((each) => (
              <Row key={JSON.stringify([each.slice, each.verifier, each.experiment])}>
                <NameCell>
                  {each.slice === null ? (
                    <span className="text-ink-3">none</span>
                  ) : (
                    <VisibleText text={each.slice} />
                  )}
                </NameCell>
                <Cell mono>{each.verifier}</Cell>
                {runs.length > 2 ? (
                  <Cell>
                    <VisibleText text={names.get(each.experiment) ?? each.experiment} />
                  </Cell>
                ) : null}
                <RateCells comparison={each} />
                <DifferenceCells comparison={each} />
              </Row>
            ))}
          </DataTable>
        </div>
      )}
    </Panel>
  );
}
