import Link from 'next/link';
import { useTrusts } from '@/app/(console)/use-trusts';
import type { GatewayRoute, GatewaySummary } from '@/app/_trpc/outputs';
import { buttonClass } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Panel } from '@/app/_ui/panel';
import { TrustGlyph } from '@/app/_ui/trust-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { filterQuery } from '../filters';
import { hostOf } from '../gateway-words';

interface RoutePanelProps {
  project: string;
  routes: readonly GatewayRoute[];
  summary: GatewaySummary;
  mayWrite: boolean;
}

/** The routes of calls, with their verification. Each name links to its settings. */
export function RoutePanel({ project, routes, summary, mayWrite }: RoutePanelProps) {
  const base = `/p/${project}/gateway`;
  const trusts = useTrusts(project);
  return (
    <Panel
      title="Routes"
      aside={
        mayWrite ? (
          <Link href={`${base}/new-route`} className={buttonClass('quiet')}>
            Create route
          </Link>
        ) : null
      }
    >
      <DataTable
        label="Routes"
        heads={['Route', 'Upstream', 'Verifier', 'Every', 'Integrity', 'Project verifier', 'Calls']}
      >
        {routes.map(
          ({
            name,
            source,
            baseUrl,
            settings: { quality_verifier: verifier, integrity, verify },
          }) => (
            <Row key={name}>
              <NameCell>
                <Link href={`${base}/routes/${encodeURIComponent(name)}`} className="underline">
                  {name}
                </Link>
                {source === 'project' ? null : (
                  <span className="text-12 text-ink-3"> by default</span>
                )}
              </NameCell>
              <Cell mono>
                {baseUrl === null ? (
                  <span className="font-sans">upstream deleted</span>
                ) : (
                  <VisibleText text={hostOf(baseUrl) ?? ''} />
                )}
              </Cell>
              <Cell mono>
                {verifier.model === null ? (
                  <span className="text-ink-3 font-sans">off</span>
                ) : (
                  <span className="flex max-w-80 items-center gap-1.5">
                    <TrustGlyph trust={trusts.get('turn')} />
                    <span className="truncate" title={verifier.model}>
                      <VisibleText text={verifier.model} />
                    </span>
                  </span>
                )}
              </Cell>
              <Cell>
                {verifier.model === null ? (
                  <span className="text-ink-3">none</span>
                ) : (
                  `${verifier.frequency.toLocaleString('en')} ${verifier.frequency === 1 ? 'turn' : 'turns'}`
                )}
              </Cell>
              <Cell>
                {integrity.mode}{' '}
                {integrity.mode === 'hold' ? <TrustGlyph trust={trusts.get('integrity')} /> : null}
              </Cell>
              <Cell>
                {verify === null ? (
                  <span className="text-ink-3">none</span>
                ) : (
                  <>
                    <span className="font-mono">{verify.verifier}</span> {verify.mode}
                  </>
                )}
              </Cell>
              <Cell>
                <Calls base={base} name={name} summary={summary} />
              </Cell>
            </Row>
          ),
        )}
      </DataTable>
    </Panel>
  );
}

function Calls({ base, name, summary }: { base: string; name: string; summary: GatewaySummary }) {
  const found = summary.routes.find((route) => route.name === name);
  if (found === undefined) return <span className="text-ink-3">0</span>;
  return (
    <>
      <Link
        href={`${base}/calls${filterQuery({ route: name, from: summary.from })}`}
        prefetch={false}
        aria-label={`${found.calls.toLocaleString('en')} calls of ${name}`}
        className="underline"
      >
        {found.calls.toLocaleString('en')}
      </Link>
      <span className="text-12 text-ink-3"> {found.verified.toLocaleString('en')} verified</span>
    </>
  );
}
