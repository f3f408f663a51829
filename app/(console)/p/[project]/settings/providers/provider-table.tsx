import type { Provider } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { VisibleText } from '@/app/_ui/visible-text';
import type { ProviderKind } from '@/server/llm/input';

const shortKind: Record<ProviderKind, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  openai_compatible: 'compatible',
};

interface ProviderTableProps {
  providers: readonly Provider[];
  mayWrite: boolean;
  onOpen: (what: 'change' | 'test' | 'delete', provider: Provider) => void;
}

export function ProviderTable({ providers, mayWrite, onOpen }: ProviderTableProps) {
  return (
    <DataTable
      label="Providers"
      heads={['Name', 'Kind', 'Models', 'Key', 'State', 'Address', ...(mayWrite ? [''] : [])]}
    >
      {providers.map((provider) => (
        <Row key={provider.name}>
          <NameCell>
            <code className="text-12 font-mono">{provider.name}</code>
          </NameCell>
          <Cell>{shortKind[provider.kind]}</Cell>
          <Cell mono>
            <span className="block max-w-64 truncate" title={provider.models.join(', ')}>
              {provider.models.length === 0 ? 'none listed' : provider.models.join(', ')}
            </span>
            {provider.prices.length === 0 ? null : (
              <span
                className="text-12 text-ink-3 block"
                title={provider.prices.map(priceText).join('\n')}
              >
                {provider.prices.length === 1
                  ? 'one price of your own'
                  : `${provider.prices.length} prices of your own`}
              </span>
            )}
          </Cell>
          <Cell mono>{keyText(provider)}</Cell>
          <Cell>{stateText(provider)}</Cell>
          <Cell mono>
            <span className="block max-w-64 truncate" title={provider.baseUrl}>
              <VisibleText text={provider.baseUrl} />
            </span>
          </Cell>
          {mayWrite ? (
            <Cell end>
              <span className="inline-flex gap-2">
                <Button
                  aria-label={`Test ${provider.name}`}
                  disabled={!provider.enabled}
                  onClick={() => onOpen('test', provider)}
                >
                  Test
                </Button>
                <Button
                  aria-label={`${changeText(provider)} ${provider.name}`}
                  onClick={() => onOpen('change', provider)}
                >
                  {changeText(provider)}
                </Button>
                {provider.source === 'project' ? (
                  <Button
                    aria-label={`Delete ${provider.name}`}
                    onClick={() => onOpen('delete', provider)}
                  >
                    Delete
                  </Button>
                ) : null}
              </span>
            </Cell>
          ) : null}
        </Row>
      ))}
    </DataTable>
  );
}

const priceText = ({ model, usd_per_million: usd }: Provider['prices'][number]): string =>
  `${model}: ${usd.input} in, ${usd.output} out, US dollars per million tokens`;

/** The operator's provider cannot be changed here: the project adds its own in its place. */
function changeText({ source }: Provider): string {
  return source === 'project' ? 'Change' : 'Replace';
}

function keyText({ key }: Provider): string {
  if (key === null) return 'none';
  return key === 'unreadable' ? 'unreadable: enter it again' : key;
}

function stateText({ enabled, source }: Provider): string {
  if (!enabled) return 'off: not called';
  return source === 'environment' ? 'on, by the operator' : 'on';
}
