"""x"""
import sys, signal, asyncio, threading
from shared.runtime.service import main
from tests.integration.runtime.counting import COMPOSE, CountingSettings, register
def dump(*_):
    try:
        loop=asyncio.get_event_loop_policy().get_event_loop()
    except Exception as e: print(e)
    for t in asyncio.all_tasks(L[0]): t.print_stack(file=sys.stderr)
    for th in threading.enumerate(): print(th, file=sys.stderr)
    import faulthandler; faulthandler.dump_traceback(all_threads=True)
L=[]
import shared.runtime.service as s
o=s.Process.run
async def run(self,c):
    L.append(asyncio.get_running_loop()); return await o(self,c)
s.Process.run=run
if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, dump)
    register()
    main(sys.argv[1], CountingSettings, COMPOSE[sys.argv[1]])
