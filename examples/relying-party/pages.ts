/** What the relying party shows. Everything that comes from elsewhere is text. */

export interface Account {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly userInfo: Readonly<Record<string, unknown>>;
  readonly scope: string;
}

const escaped = (value: unknown): string => String(value).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

export interface Page {
  readonly title: string;
  /** HTML. */
  readonly body: string;
}

const demoLine = (url: string): string =>
  `<aside class="demo" aria-label="Demo">This is the other app of the Portico demo. <a href="${escaped(url)}">Back to the demo</a></aside>`;

/** The whole page; where the app is a part of a demo, a line above it leads back there. */
export const htmlOf = ({ title, body }: Page, demoUrl: string | undefined): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(title)}</title>
    <link rel="stylesheet" href="/style.css" />
  </head>
  <body>
    ${demoUrl === undefined ? '' : demoLine(demoUrl)}
    <header><strong>Weekly Planner</strong> <span>another app, on its own origin</span></header>
    <main>${body}</main>
  </body>
</html>
`;

const button = (action: string, label: string, look = ''): string =>
  `<form method="post" action="${action}"><button class="${look}">${label}</button></form>`;

export const WELCOME: Page = {
  title: 'Weekly Planner',
  body: `<h1>Plan your week</h1>
     <p>This app has no passwords of its own. It signs its users in with Portico, as an OpenID provider.</p>
     ${button('/sign-in', 'Sign in with Portico', 'primary')}`,
};

export const signedIn = ({ claims, userInfo, scope }: Account): Page => {
  const rows = Object.entries({ ...claims, ...userInfo }).map(
    ([name, value]) =>
      `<tr><th scope="row">${escaped(name)}</th><td>${escaped(typeof value === 'object' ? JSON.stringify(value) : value)}</td></tr>`,
  );
  return {
    title: 'Signed in – Weekly Planner',
    body: `<h1>You are signed in</h1>
     <p>Portico has told Weekly Planner who you are: <strong>${escaped(userInfo['email'] ?? claims['sub'])}</strong>.</p>
     <p>The ID token was verified. Granted: <code>${escaped(scope)}</code></p>
     <table><caption>ID token and userinfo</caption><tbody>${rows.join('')}</tbody></table>
     ${button('/log-out', 'Log out', 'primary')}`,
  };
};

export const refused = (error: string, description?: string): Page => ({
  title: 'Not signed in – Weekly Planner',
  body: `<h1>You are not signed in</h1>
     <p role="alert">${
       error === 'access_denied'
         ? 'You did not allow Weekly Planner to use your account. Nothing was shared.'
         : `<code>${escaped(error)}</code> ${escaped(description ?? '')}`
     }</p>
     ${button('/sign-in', 'Try again', 'primary')} <p><a href="/">Back to the start</a></p>`,
});

export const STYLE = `
:root { color-scheme: light dark; --ink: #2b2350; --page: #f6f4fb; --card: #fff; --line: #cfc8e6; --accent: #4b3a9b; --on: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ece8fa; --page: #14111f; --card: #1e1a2e; --line: #453c66; --accent: #b9a9ff; --on: #171226; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif; }
header, main { margin-inline: auto; max-width: 608px; }
header { padding-block: 8px 24px; }
.demo { margin: -16px -16px 8px; padding: 8px 16px; background: var(--ink); color: var(--page); font-size: 14px; text-align: center; }
.demo a { color: inherit; }
main { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 24px; overflow-wrap: anywhere; }
h1 { margin: 0 0 12px; font-size: 24px; }
table { inline-size: 100%; border-collapse: collapse; table-layout: fixed; font-size: 14px; margin-block: 16px; }
caption { text-align: start; font-weight: 600; padding-block-end: 8px; }
th, td { border-block-start: 1px solid var(--line); padding: 8px 8px 8px 0; text-align: start; vertical-align: top; }
th { inline-size: 40%; font-weight: 500; }
button { min-block-size: 44px; padding: 8px 20px; border: 1px solid var(--accent); border-radius: 22px; background: none; color: var(--accent); font: inherit; cursor: pointer; }
button.primary { background: var(--accent); color: var(--on); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
`;
