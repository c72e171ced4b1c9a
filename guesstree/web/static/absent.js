// Asks for a search whose page is not seen: timers of such a page are slow, those of a worker are not.

onmessage = (message) => {
  const ask = async () => {
    try {
      const answer = await fetch(message.data);
      postMessage(answer.ok ? await answer.json() : { gone: true });
    } catch {
      // the server does not answer: asked again
    }
  };
  ask();
  setInterval(ask, 4000);
};
