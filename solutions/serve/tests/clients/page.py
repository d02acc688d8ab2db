"""The chat page in a headless Chromium, through its debugging socket; no package needed.

Arguments: the address, and a folder for pictures. Asks a question at a desk's width in light, then looks at the page in
dark, at a phone's width, with settings open, and with a fault. Prints what is wrong and ends with 1 then.
"""

import base64, json, os, re, socket, struct, subprocess, sys, tempfile, time, urllib.request
from pathlib import Path

address, folder = sys.argv[1], Path(sys.argv[2])
browser = sys.argv[3] if len(sys.argv) > 3 else "chromium"
folder.mkdir(parents=True, exist_ok=True)


class Socket:
    """Just enough of a WebSocket: text frames, one message at a time."""

    def __init__(self, url):
        host, port, path = re.match(r"ws://([^:]+):(\d+)(.*)", url).groups()
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.socket.recv(4096)
        self.rest = self.rest.split(b"\r\n\r\n", 1)[1]
        self.next_id, self.events = 0, []

    def take(self, count):
        while len(self.rest) < count:
            got = self.socket.recv(1 << 20)
            assert got, "the browser is gone"
            self.rest += got
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def message(self):
        text = b""
        while True:
            first, second = self.take(2)
            length = second & 127
            if length == 126:
                (length,) = struct.unpack(">H", self.take(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self.take(8))
            text += self.take(length)
            if first & 128:
                return json.loads(text)

    def call(self, method, **parameters):
        self.next_id += 1
        data = json.dumps({"id": self.next_id, "method": method, "params": parameters}).encode()
        mask = os.urandom(4)
        length = bytes([128 | len(data)]) if len(data) < 126 else bytes([128 | 126]) + struct.pack(">H", len(data))
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
        self.socket.sendall(b"\x81" + length + mask + masked)
        while True:
            message = self.message()
            if message.get("id") == self.next_id:
                assert "error" not in message, message
                return message["result"]
            self.events.append(message)

    def value(self, script):
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")


def until(page, script):
    end = time.time() + 60
    while not page.value(script):
        assert time.time() < end, f"never true: {script}"
        time.sleep(0.1)


with tempfile.TemporaryDirectory() as profile:
    process = subprocess.Popen(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
         "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        port_file = Path(profile) / "DevToolsActivePort"
        end = time.time() + 60
        while not (port_file.exists() and port_file.read_text().strip()):
            assert time.time() < end, "the browser does not start"
            time.sleep(0.1)
        port = port_file.read_text().split()[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
            target = next(entry for entry in json.load(answer) if entry["type"] == "page")
        page = Socket(target["webSocketDebuggerUrl"])
        page.call("Log.enable"), page.call("Runtime.enable"), page.call("Page.enable")

        def look(name, width, scheme):
            page.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 500)
            page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            time.sleep(0.3)
            picture = page.call("Page.captureScreenshot", format="png")["data"]
            (folder / f"{name}.png").write_bytes(base64.b64decode(picture))
            wide = page.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{name} is {wide} pixels too wide"
            print("fine:", name)

        page.call("Emulation.setDeviceMetricsOverride", width=1200, height=800, deviceScaleFactor=1, mobile=False)
        page.call("Page.navigate", url=address + "/")
        until(page, "document.getElementById('model')?.textContent === 'tiny'")
        look("empty-light", 1200, "light")
        ask = """(() => { const at = (id) => document.getElementById(id);
            at("temperature").value = "0"; at("message").value = %s; at("form").requestSubmit(); })()"""
        idle = "document.getElementById('send').textContent === 'Send'"
        page.value(ask % json.dumps("What is a KV cache?"))
        until(page, "document.querySelector('article.assistant')?.textContent.length > 0")
        until(page, idle)
        text = page.value("document.querySelector('article.assistant').firstChild.textContent")
        assert len(text) > 40, text
        assert "tokens" in page.value("document.querySelector('article small').textContent")
        page.value(ask % json.dumps("And why is it faster?"))
        until(page, "document.querySelectorAll('article small').length === 2")
        until(page, idle)
        look("talk-light", 1200, "light")
        look("talk-dark", 1200, "dark")
        look("talk-phone-light", 390, "light")
        look("talk-phone-dark", 390, "dark")
        page.value("document.getElementById('more').open = true")
        look("settings-phone-light", 390, "light")
        look("settings-dark", 1200, "dark")
        # Stopped in the middle; what was written stays.
        page.value("document.getElementById('temperature').value = '2'")
        page.value((ask % json.dumps("Tell a long story.")).replace('at("temperature").value = "0";', ""))
        until(page, "document.querySelectorAll('article.assistant').length === 3 && "
                    "document.querySelectorAll('article.assistant')[2].textContent.length > 20")
        page.value("document.getElementById('form').requestSubmit()")
        until(page, idle)
        assert "stopped" in page.value("[...document.querySelectorAll('article small')].pop().textContent")
        # What the server refuses is shown in its words.
        page.value("document.getElementById('top_p').value = '7'")
        page.value(ask % json.dumps("Hello"))
        until(page, "document.querySelector('article.fault') !== null")
        assert "top_p is 7" in page.value("document.querySelector('article.fault').textContent")
        look("fault-light", 390, "light")
        page.value("document.getElementById('reset').click()")
        assert page.value("document.querySelectorAll('article').length") == 0
        faults = [event["params"] for event in page.events if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")]
        faults = [fault for fault in faults if "400" not in json.dumps(fault)]
        assert not faults, faults
    finally:
        process.terminate()
        process.wait(timeout=20)
print("all fine")
