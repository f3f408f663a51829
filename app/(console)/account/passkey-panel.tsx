'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { postSignIn } from '@/app/(entry)/post-sign-in';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Field, FieldError } from '@/app/_ui/field';
import { Moment } from '@/app/_ui/moment';
import { Panel } from '@/app/_ui/panel';
import { createPasskey } from './create-passkey';
import { PasswordDialog } from './password-dialog';

interface OwnPasskey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

interface PasskeyPanelProps {
  passkeys: readonly OwnPasskey[];
  /** Browsers offer passkeys only for a host name, over HTTPS or on localhost. */
  isPossible: boolean;
  email: string;
}

/** The passkeys of the signed-in user. */
export function PasskeyPanel({ passkeys, isPossible, email }: PasskeyPanelProps) {
  const router = useRouter();
  const [options, setOptions] = useState<Readonly<Record<string, unknown>> | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async ({ id, name }: OwnPasskey) => {
    setProblem(null);
    const answer = await postSignIn('/api/auth/passkeys/remove', { id }, 'passkey');
    if (!answer.ok) setProblem(answer.message);
    else announce(`Passkey ${name} removed`);
    router.refresh();
  };
  return (
    <Panel title="Passkeys">
      <div className="grid max-w-[80ch] gap-3 p-4">
        <p>
          {isPossible
            ? 'A passkey signs you in with your device’s fingerprint, face or PIN, without a password or a code.'
            : 'Passkeys need an address with a host name, over HTTPS or on localhost (ASSAY_WEB_URL).'}
        </p>
        <FieldError text={problem} />
        {isPossible ? (
          <div>
            <Button onClick={() => setAsking(true)}>Add passkey</Button>
          </div>
        ) : null}
      </div>
      {passkeys.length === 0 ? null : (
        <DataTable label="Passkeys" heads={['Name', 'Added', '']}>
          {passkeys.map((each) => (
            <Row key={each.id}>
              <NameCell>{each.name}</NameCell>
              <Cell>
                <Moment at={each.createdAt} />
              </Cell>
              <Cell end>
                <Button
                  variant="quiet"
                  aria-label={`Remove passkey ${each.name}`}
                  onClick={() => void remove(each)}
                >
                  Remove
                </Button>
              </Cell>
            </Row>
          ))}
        </DataTable>
      )}
      {isAsking ? (
        <PasswordDialog
          title="Add a passkey"
          text="Your browser asks for the device next."
          action="Continue"
          path="/api/auth/passkeys/set-up"
          email={email}
          onClose={() => setAsking(false)}
          onDone={(found) => {
            setAsking(false);
            setOptions(found);
          }}
        />
      ) : null}
      {options === null ? null : (
        <NameDialog
          options={options}
          onClose={() => setOptions(null)}
          onDone={() => {
            setOptions(null);
            announce('Passkey added');
            router.refresh();
          }}
        />
      )}
    </Panel>
  );
}

interface NameDialogProps {
  options: Readonly<Record<string, unknown>>;
  onDone: () => void;
  onClose: () => void;
}

function NameDialog({ options, onDone, onClose }: NameDialogProps) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    if (name.trim() === '') {
      setProblem('Give it a name of 1 to 60 characters.');
      return;
    }
    setBusy(true);
    setProblem(null);
    const fault = await createPasskey(name, options);
    if (fault === null) {
      onDone();
      return;
    }
    setProblem(fault);
    setBusy(false);
  };
  return (
    <FormDialog
      title="Name the passkey"
      onClose={onClose}
      action="Add passkey"
      busy={busy}
      onSubmit={() => void submit()}
    >
      <Field
        label="Name"
        hint="To recognize it later, such as “Work laptop”."
        maxLength={60}
        value={name}
        error={problem}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
