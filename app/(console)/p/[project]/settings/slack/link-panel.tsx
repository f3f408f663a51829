'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTRPC } from '@/app/_trpc/client';
import type { SlackLinks } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { FieldError } from '@/app/_ui/field';
import { Age } from '@/app/_ui/moment';
import { PageHead } from '@/app/_ui/page-head';
import { Empty, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';

interface LinkPanelProps {
  input: { project: string; code?: string };
  initial: SlackLinks;
}

/** The Slack users who act as the signed-in member, and the confirmation of another one. */
export function LinkPanel({ input, initial }: LinkPanelProps) {
  const { project, code } = input;
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.slack.links.queryOptions(input, { initialData: initial });
  const {
    data: { links, offer },
  } = useQuery(options);
  const unlink = useMutation(
    trpc.slack.unlink.mutationOptions({
      onSuccess: () => {
        announce('Slack user unlinked');
        void client.invalidateQueries({ queryKey: options.queryKey });
      },
    }),
  );
  return (
    <>
      <PageHead
        title="Slack"
        sub="Linked Slack users acknowledge alerts and rule on verdicts as you, with your role."
      />
      {code === undefined ? null : <OfferPanel project={project} code={code} offer={offer} />}
      <FieldError text={unlink.error ? problemOf(unlink.error).message : null} />
      <Panel title="Linked Slack users">
        {links.length === 0 ? (
          <Empty title="No Slack user linked yet.">
            <p>
              To link your Slack user, press a button of an Assay message in Slack and follow the
              link that it shows.
            </p>
          </Empty>
        ) : (
          <DataTable
            label="Linked Slack users"
            heads={['Name', 'User', 'Destination', 'Linked', '']}
          >
            {links.map((link) => (
              <Row key={`${link.destinationId} ${link.teamId} ${link.slackUserId}`}>
                <NameCell>
                  <VisibleText text={link.slackName} />
                </NameCell>
                <Cell mono>
                  <VisibleText text={link.slackUserId} />
                </Cell>
                <Cell>
                  <VisibleText text={link.destination} />
                </Cell>
                <Cell>
                  <Age at={link.createdAt} /> ago
                </Cell>
                <Cell end>
                  <Button
                    aria-label={`Unlink ${link.slackName} from ${link.destination}`}
                    busy={unlink.isPending}
                    onClick={() => {
                      const { destinationId, teamId, slackUserId } = link;
                      unlink.mutate({ project, destinationId, teamId, slackUserId });
                    }}
                  >
                    Unlink
                  </Button>
                </Cell>
              </Row>
            ))}
          </DataTable>
        )}
      </Panel>
    </>
  );
}

interface OfferPanelProps {
  project: string;
  code: string;
  offer: SlackLinks['offer'];
}

/** Names the Slack user: someone else may have sent the link. */
function OfferPanel({ project, code, offer }: OfferPanelProps) {
  const router = useRouter();
  const link = useMutation(
    useTRPC().slack.link.mutationOptions({
      onSuccess: () => {
        announce('Slack user linked');
        router.replace(`/p/${project}/settings/slack`);
      },
    }),
  );
  return (
    <Panel title="Link a Slack user">
      <div className="grid max-w-[80ch] gap-3 p-4">
        {offer === null ? (
          <p>This link is not valid or has expired. Press the button in Slack again.</p>
        ) : (
          <>
            <p>
              <strong>
                <VisibleText text={offer.user.name} />
              </strong>{' '}
              (<code className="font-mono">{offer.user.id}</code>) will act as you through the
              messages of <VisibleText text={offer.destination} />. Link only your own Slack user.
            </p>
            <FieldError text={link.error ? problemOf(link.error).message : null} />
            <div>
              <Button
                variant="primary"
                busy={link.isPending}
                onClick={() => link.mutate({ project, code })}
              >
                Link Slack user
              </Button>
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}
