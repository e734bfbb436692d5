/** An error that the operator can fix. Its message is one sentence. */
export class UsageError extends Error {}
