import type { ApiKey } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Cell, NameCell, Row } from '@/app/_ui/data-table';
import { Age, Moment } from '@/app/_ui/moment';

interface KeyRowProps {
  apiKey: ApiKey;
  mayWrite: boolean;
  onRotate: () => void;
  onRevoke: () => void;
}

/** One key of the table: its age, its state, and the actions that the state permits. */
export function KeyRow({ apiKey, mayWrite, onRotate, onRevoke }: KeyRowProps) {
  return (
    <Row>
      <NameCell>{apiKey.name}</NameCell>
      <Cell mono>{apiKey.masked}</Cell>
      <Cell mono>{apiKey.scopes.join(', ')}</Cell>
      <Cell>
        <Age at={apiKey.createdAt} /> ago by {apiKey.createdBy}
        {apiKey.serviceAccount !== null ? (
          <span className="text-ink-3 block">service account {apiKey.serviceAccount}</span>
        ) : null}
        {apiKey.owner !== null && apiKey.owner !== apiKey.createdBy ? (
          <span className="text-ink-3 block">owned by {apiKey.owner}</span>
        ) : null}
      </Cell>
      <Cell>
        {apiKey.lastUsedAt ? (
          <>
            <Age at={apiKey.lastUsedAt} /> ago
          </>
        ) : (
          <span className="text-ink-3">never</span>
        )}
      </Cell>
      <Cell>
        <KeyState apiKey={apiKey} />
      </Cell>
      <Cell end>
        {mayWrite && apiKey.state === 'active' ? (
          <span className="flex justify-end gap-2">
            {apiKey.successorId === null ? (
              <Button aria-label={`Rotate ${apiKey.name}`} onClick={onRotate}>
                Rotate
              </Button>
            ) : null}
            <Button aria-label={`Revoke ${apiKey.name}`} onClick={onRevoke}>
              Revoke
            </Button>
          </span>
        ) : null}
      </Cell>
    </Row>
  );
}

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.revokedAt !== null)
    return (
      <>
        revoked <Age at={apiKey.revokedAt} /> ago
      </>
    );
  if (apiKey.expiresAt === null) return 'active';
  if (apiKey.state === 'expired')
    return (
      <>
        {apiKey.successorId === null ? 'expired' : 'rotated, ended'} <Age at={apiKey.expiresAt} />{' '}
        ago
      </>
    );
  return (
    <>
      {apiKey.successorId === null ? 'active' : 'rotated'}
      <span className="text-ink-3 block">
        until <Moment at={apiKey.expiresAt} />
      </span>
    </>
  );
}
