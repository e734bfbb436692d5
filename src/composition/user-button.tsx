import { lazy, Suspense, type ReactNode } from 'react';
import type { StyleConfig } from '../domain/theme.ts';
import { ConsoleLog } from '../infrastructure/browser/console-log.ts';
import type { StringOverrides } from '../presentation/messages/catalogue.ts';
import type { PorticoClient } from './client.ts';
import { useClient, useUser } from './react-client.tsx';

const Menu = lazy(async () => {
  const { UserButton: loaded } = await import('../presentation/parts/user-button/UserButton.tsx');
  return { default: loaded };
});

export interface UserButtonProps {
  /** What 'Manage account' does: a function to call, or the address of the account page. Without it, the menu has no such item. */
  readonly manageAccount?: (() => void) | string | undefined;
  readonly styles?: StyleConfig | undefined;
  /** Texts that replace those of the catalogue. */
  readonly strings?: StringOverrides | undefined;
  /** The language of the texts. The default is `en`; `auto` uses the language of the page, else the browser's. */
  readonly language?: string | undefined;
}

const log = new ConsoleLog(globalThis);
const warn = (message: string): void => log.warn(message);

/**
 * The picture or initials of the signed-in user, with a menu: name, address, 'Manage account' and 'Sign out'. Nothing while
 * nobody is signed in, and until that is known. Its code loads when somebody is signed in.
 */
export function UserButton(props: UserButtonProps): ReactNode {
  const client = useClient();
  const { user } = useUser();
  return client === null || user === null ? null : <Button {...props} client={client} user={user} />;
}

interface ButtonProps extends UserButtonProps {
  readonly client: PorticoClient;
  readonly user: NonNullable<ReturnType<typeof useUser>['user']>;
}

function Button({ client, user, manageAccount, styles, strings, language }: ButtonProps): ReactNode {
  return (
    <span>
      <Suspense fallback={null}>
        <Menu
          {...{ user, styles, strings, language, warn }}
          manage={manageAccount ?? null}
          signOut={async () => client.session.revoke()}
        />
      </Suspense>
    </span>
  );
}
