import { init, verify } from "/package/dist/browser.js";

self.onmessage = async ({ data }) => {
  await init();
  self.postMessage(verify(data));
};
