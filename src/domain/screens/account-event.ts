import type { AccountChange, AccountNews, AccountState, AccountTask, ProofWay } from '../account/account.ts';

/** The intents of the account page. */
export type AccountIntent =
  /** Opens a form or a question. */
  | { readonly type: 'account/opened'; readonly task: AccountTask }
  /** Closes the open form or question without a change. */
  | { readonly type: 'account/closed' }
  | { readonly type: 'account/asked'; readonly change: AccountChange }
  /** The person typed into a form whose last submission was refused. */
  | { readonly type: 'account/edited' }
  /** The code of the second factor. */
  | { readonly type: 'account/proven'; readonly code: string }
  | { readonly type: 'account/wayChosen'; readonly way: ProofWay }
  /** Loads the failed lists again. */
  | { readonly type: 'account/retried' };

export type AccountOutcome =
  /** The new state of the page. */
  | { readonly type: 'account/changed'; readonly account: AccountState }
  /** The account has changed. */
  | { readonly type: 'account/done'; readonly change: AccountNews };
