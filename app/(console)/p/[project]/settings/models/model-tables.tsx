import type { ModelSettings } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { VisibleText } from '@/app/_ui/visible-text';
import type { Alias, Price } from './model-settings-panel';

const name = (text: string) => (
  <code className="text-12 font-mono">
    <VisibleText text={text} />
  </code>
);

interface AliasTableProps {
  aliases: readonly Alias[];
  /** Null if the viewer may not. */
  onDelete: ((alias: Alias) => void) | null;
}

export function AliasTable({ aliases, onDelete }: AliasTableProps) {
  return (
    <DataTable
      label="Aliases"
      heads={['Alias', 'Counts as', 'Set by', ...(onDelete === null ? [] : [''])]}
    >
      {aliases.map((each) => (
        <Row key={each.alias}>
          <NameCell>{name(each.alias)}</NameCell>
          <Cell>{each.alias === each.model ? 'Separate' : name(each.model)}</Cell>
          <Cell>
            <VisibleText text={each.createdBy} />
          </Cell>
          {onDelete === null ? null : (
            <Cell end>
              <Button aria-label={`Delete ${each.alias}`} onClick={() => onDelete(each)}>
                Delete
              </Button>
            </Cell>
          )}
        </Row>
      ))}
    </DataTable>
  );
}

interface PriceTableProps {
  prices: readonly Price[];
  /** Null if the viewer may not. */
  onDelete: ((price: Price) => void) | null;
}

const usd = (price: number | null): string => (price === null ? '–' : `$${price}`);

export function PriceTable({ prices, onDelete }: PriceTableProps) {
  return (
    <DataTable
      label="Own prices, per million tokens"
      heads={[
        'Model',
        'From (UTC)',
        'Input',
        'Output',
        'Cache read',
        'Cache write',
        'Reasoning',
        ...(onDelete === null ? [] : ['']),
      ]}
    >
      {prices.map((each) => (
        <Row key={`${each.model} ${each.validFrom}`}>
          <NameCell>{name(each.model)}</NameCell>
          <Cell>{each.validFrom}</Cell>
          <Cell>{usd(each.inputUsd)}</Cell>
          <Cell>{usd(each.outputUsd)}</Cell>
          <Cell>{usd(each.cacheReadUsd)}</Cell>
          <Cell>{usd(each.cacheWriteUsd)}</Cell>
          <Cell>{usd(each.reasoningUsd)}</Cell>
          {onDelete === null ? null : (
            <Cell end>
              <Button
                aria-label={`Delete the price of ${each.model} from ${each.validFrom}`}
                onClick={() => onDelete(each)}
              >
                Delete
              </Button>
            </Cell>
          )}
        </Row>
      ))}
    </DataTable>
  );
}

export function NameTable({ names }: { names: ModelSettings['names'] }) {
  return (
    <DataTable label="Reported names" heads={['Name', 'Counts as']}>
      {names.map((each) => (
        <Row key={each.name}>
          <NameCell>{name(each.name)}</NameCell>
          <Cell>{name(each.identity)}</Cell>
        </Row>
      ))}
    </DataTable>
  );
}
