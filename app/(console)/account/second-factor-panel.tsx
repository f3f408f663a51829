'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { PasswordDialog } from './password-dialog';

const SetUpDialog = dynamic(() => import('./set-up-dialog').then((module) => module.SetUpDialog), {
  ssr: false,
});
const CodesDialog = dynamic(() => import('./codes-dialog').then((module) => module.CodesDialog), {
  ssr: false,
});

interface SecondFactorPanelProps {
  isOn: boolean;
  email: string;
}

/** Two-step sign-in of the signed-in user: on, off, and new backup codes. */
export function SecondFactorPanel({ isOn, email }: SecondFactorPanelProps) {
  const router = useRouter();
  const [open, setOpen] = useState<'set up' | 'codes' | 'turn off' | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => setOpen(null);
  return (
    <Panel title="Two-step sign-in">
      <div className="grid max-w-[80ch] gap-3 p-4">
        <p>
          {isOn
            ? 'On: signing in with a password also needs a code from your authenticator app.'
            : 'Off. With an authenticator app, someone who knows your password still cannot sign in.'}
        </p>
        <div className="flex flex-wrap gap-2">
          {isOn ? (
            <>
              <Button onClick={() => setOpen('codes')}>Replace backup codes</Button>
              <Button variant="danger" onClick={() => setOpen('turn off')}>
                Turn off
              </Button>
            </>
          ) : (
            <Button variant="primary" onClick={() => setOpen('set up')}>
              Set up
            </Button>
          )}
        </div>
      </div>
      {open === 'set up' ? (
        <SetUpDialog
          email={email}
          onClose={close}
          onDone={(newCodes) => {
            close();
            setCodes(newCodes);
            announce('Two-step sign-in is on');
            router.refresh();
          }}
        />
      ) : null}
      {open === 'codes' ? (
        <PasswordDialog
          title="Replace backup codes"
          text="The current codes stop working."
          action="Replace codes"
          path="/api/auth/second-factor/backup-codes"
          email={email}
          onClose={close}
          onDone={(body) => {
            close();
            setCodes(textsIn(body.backupCodes));
          }}
        />
      ) : null}
      {open === 'turn off' ? (
        <PasswordDialog
          title="Turn off two-step sign-in"
          text="You sign in with the password alone, and the backup codes stop working."
          action="Turn off"
          path="/api/auth/second-factor/turn-off"
          email={email}
          onClose={close}
          onDone={() => {
            close();
            announce('Two-step sign-in is off');
            router.refresh();
          }}
        />
      ) : null}
      {codes === null ? null : <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Panel>
  );
}

const textsIn = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);
