/** The window's page: no Node, no tokens. `account` is what `preload.cjs` passes on. */
/** @typedef {{ email(): Promise<string | null>, signIn(): Promise<void>, signOut(): Promise<void> }} AccountCalls */
const { account } = /** @type {{ account: AccountCalls }} */ (/** @type {unknown} */ (window));
const [heading, status] = ['h1', '[role=status]'].map((selector) => document.querySelector(selector));

async function show() {
  const email = await account.email();
  if (heading) heading.textContent = email === null ? 'Signed out' : `Hello, ${email}`;
  for (const button of document.querySelectorAll('button'))
    button.hidden = (button.name === 'signIn') !== (email === null);
}

/** Runs a call, and shows why it failed. */
async function run(/** @type {() => Promise<unknown>} */ call) {
  const problem = await call().then(
    () => '',
    (/** @type {Error} */ error) => error.message,
  );
  if (status) status.textContent = problem;
}

for (const button of document.querySelectorAll('button')) {
  const call = () => (button.name === 'signIn' ? account.signIn() : account.signOut());
  button.addEventListener('click', () => void run(() => call().then(show)));
}
void run(show);
