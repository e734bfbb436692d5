import { lazy, Suspense, useState, type ReactNode } from 'react';
import { codeLoad } from '#domain/code-loads.ts';
import type { StyleConfig } from '#domain/widget/theme.ts';
import { ConsoleLog } from '#infrastructure/browser/console-log.ts';
import { Unloaded } from '#presentation/components/Unloaded.tsx';
import { makeTranslate, type StringOverrides } from '#presentation/messages/catalogue.ts';
import type { PorticoClient } from '../client.ts';
import { useClient, useUser } from './react-client.tsx';
import { usePropWarnings, type PropTable } from './react-props.ts';
import { Account } from './react-widgets.tsx';
import type { MountAccountOptions } from '../ui-client.ts';

// React's `lazy`, because a Suspense boundary waits for them.
const Menu = lazy(async () =>
  codeLoad(import('#presentation/parts/user-button/UserButton.tsx')).then(
    ({ UserButton: loaded }) => ({ default: loaded }),
    () => ({ default: Missing }),
  ),
);
const AccountDialog = lazy(async () =>
  codeLoad(import('#presentation/parts/user-button/AccountDialog.tsx')).then(
    ({ AccountDialog: loaded }) => ({ default: loaded }),
    () => ({ default: Missing }),
  ),
);

/** Replaces code that could not be loaded. An error would reach the error boundary of the page. */
function Missing({ strings }: Pick<UserButtonProps, 'strings'>) {
  return <Unloaded t={makeTranslate(strings ?? {})} />;
}

/** The props of `UserButton`. */
export interface UserButtonProps {
  /**
   * The action of 'Manage account': a function to call, or the URL of the account page. Default: opens the account page in a dialog. For a
   * client without widgets there is no such item.
   */
  readonly manageAccount?: (() => void) | string | undefined;
  /** The options of the account page in the dialog. */
  readonly account?: Pick<MountAccountOptions, 'config' | 'callbacks'> | undefined;
  readonly styles?: StyleConfig | undefined;
  /** Texts that replace those of the catalogue. */
  readonly strings?: StringOverrides | undefined;
  /** The language of the texts. The default is `en`; `auto` uses the language of the page, else the browser's. */
  readonly language?: string | undefined;
}

const PROPS: PropTable<UserButtonProps> = {
  manageAccount: ['function', 'string'],
  account: ['object'],
  styles: ['object'],
  strings: ['object'],
  language: ['string'],
};
const log = new ConsoleLog(globalThis);
const warn = (message: string): void => log.warn(message);

/**
 * The picture or initials of the signed-in user, with a menu: name, address, 'Manage account' and 'Sign out'. Shows nothing while nobody is
 * signed in, and until the session is known. Its code is loaded when a user is signed in.
 */
export function UserButton(props: UserButtonProps): ReactNode {
  const client = useClient();
  const { user } = useUser();
  usePropWarnings('UserButton', props, PROPS);
  return client === null || user === null ? null : <Button {...props} client={client} user={user} />;
}

interface ButtonProps extends UserButtonProps {
  readonly client: PorticoClient;
  readonly user: NonNullable<ReturnType<typeof useUser>['user']>;
}

function Button({ client, user, manageAccount, account, styles, strings, language }: ButtonProps): ReactNode {
  const [open, setOpen] = useState(false);
  const looks = { styles, strings, language };
  const own = 'mountAccount' in client ? () => setOpen(true) : null;
  return (
    <span>
      <Suspense fallback={null}>
        <Menu
          {...{ user, warn, ...looks }}
          manage={manageAccount ?? own}
          signOut={async () => client.session.revoke()}
        />
        {open && (
          <AccountDialog {...{ language, strings }} onClose={() => setOpen(false)}>
            <Account {...account} {...defined(looks)} />
          </AccountDialog>
        )}
      </Suspense>
    </span>
  );
}

/** The options without undefined members. */
function defined<T extends object>(options: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
