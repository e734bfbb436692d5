import { html } from 'hono/html';
import { pageFrame, type Html } from '#provider/base/http/page-frame.ts';
import { NOTICES_CSS } from '../../notices/paths.ts';
import { fullName, initials, PEOPLE } from './account-people.ts';

const LOCAL_CSS = '/accounts/accounts.css';

const people = (): readonly Html[] =>
  PEOPLE.map(
    (person) =>
      html`<li>
        <button type="submit" name="account" value="${person.email}">
          <img src="/accounts/pictures/${initials(person)}.svg" alt="" width="40" height="40" />
          <span><strong>${fullName(person)}</strong> <small>${person.email}</small></span>
        </button>
      </li>`,
  );

const another = (hint: string, more: Html = html``): Html => html`
  <label for="email">Another email address</label>
  <input id="email" type="email" name="email" value="${hint}" required maxlength="254" autocomplete="email" />
  <p class="check">
    <input id="verified" type="checkbox" name="verified" value="yes" checked />
    <label for="verified">The provider has verified this address</label>
  </p>
  ${more}
  <button type="submit" class="primary">Continue</button>
`;

/** If true, the ID token has `amr` with `mfa` (RFC 8176). */
const mfaBox = (): Html =>
  html`<p class="check">
    <input id="two-factors" type="checkbox" name="two_factors" value="yes" />
    <label for="two-factors">The person used two factors there</label>
  </p>`;

const NOTE = html`<p class="note">
  These accounts are built into the local provider. There is no password, and nothing leaves this machine.
</p>`;

export interface AccountPage {
  readonly action: string;
  readonly provider: string;
  readonly project: string;
  readonly hint: string;
  /** The parameters of the authorization request, as hidden fields. */
  readonly hidden: readonly (readonly [name: string, value: string])[];
}

/** The page on which a person chooses the account to log in with. */
export function accountPage({ action, provider, project, hint, hidden }: AccountPage): Html {
  const fields = () => hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
  return pageFrame(
    { title: `Sign in with ${provider}`, css: LOCAL_CSS },
    html`<main>
      <p class="badge">Test mode</p>
      <h1>Sign in with ${provider}</h1>
      <p>Choose an account to continue to <strong>${project}</strong>.</p>
      <form method="post" action="${action}">
        ${fields()}
        <ul>
          ${people()}
        </ul>
      </form>
      <form method="post" action="${action}" class="another">${fields()}${another(hint, mfaBox())}</form>
      <form method="post" action="${action}">
        ${fields()}
        <button type="submit" name="deny" value="yes" class="quiet">Deny</button>
      </form>
      ${NOTE}
    </main>`,
  );
}

/**
 * The account page for One Tap. It is shown in a frame of the host's page, and a script enables and handles it. Without the script, the
 * browser would submit the form itself, with the address in the frame's URL.
 */
export function oneTapPage(project: string, parent: string): Html {
  return pageFrame(
    { title: 'Sign in with Google', css: LOCAL_CSS, scripts: ['/accounts/google/gsi/select.js'] },
    html`<main>
      <fieldset id="one-tap" data-parent="${parent}" class="small" disabled>
        <p class="badge">Test mode</p>
        <button type="button" id="close" class="close" aria-label="Close">×</button>
        <h1>Sign in to ${project} with Google</h1>
        <form>
          <ul>
            ${people()}
          </ul>
        </form>
        <form class="another">${another('')}</form>
        <p id="status" role="status"></p>
      </fieldset>
    </main>`,
  );
}

/**
 * The page for a login that cannot continue. It has no link, so the person can only go back.
 *
 * @param reasons with `--dev`: where developers find details
 */
export function errorPage(title: string, type: string, message: string, reasons?: string): Html {
  return pageFrame(
    // The local accounts and their style sheet exist only with `--dev`.
    { title, css: NOTICES_CSS },
    html`<main>
      <h1>${title}</h1>
      <p role="alert">${message}</p>
      <p class="note">Error type: <code>${type}</code>. You may close this page, or go back and try again.</p>
      ${reasons === undefined ? '' : html`<p class="note">For developers: <a href="${reasons}">what was expected</a></p>`}
    </main>`,
  );
}

/** A picture with a person's initials, on a colour derived from them. */
export function picture(letters: string): string {
  const hue = ([...Buffer.from(letters)].reduce((sum, byte) => sum * 31 + byte, 7) * 47) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="hsl(${hue} 45% 30%)"/><text x="20" y="26" fill="#fff" font-family="Arial, Helvetica, sans-serif" font-size="16" text-anchor="middle">${letters}</text></svg>`;
}
