/** Guards a page, on the server and when the page changes in the browser. */
export default defineNuxtRouteMiddleware(async () => {
  // It passes on the cookies of the request for the page.
  const { user } = await useRequestFetch()('/api/visitor');
  if (user === null) return navigateTo('/login');
});
