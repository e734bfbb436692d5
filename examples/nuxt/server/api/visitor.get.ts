/** The sender of the request. `fresh` calls the provider for the user's name, and detects ended sessions at once. */
export default defineEventHandler(async (event) => {
  const who = await useVerifier().authenticateRequest(event.node.req, { fresh: true });
  if (who.status === 'unavailable') throw createError({ statusCode: 503, statusMessage: 'Try again in a moment' });
  if (who.status !== 'signed-in') return { user: null };
  return { user: { id: who.user_id, email: who.user?.emails[0]?.email ?? '' } };
});
