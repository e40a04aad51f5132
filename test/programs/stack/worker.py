# Takes orders from the queue and writes each into the database.
import os
import socket
import subprocess

queue = socket.socket(socket.AF_UNIX)
queue.connect(os.environ["PGHOST"] + "/redis")
answers = queue.makefile("rb")
psql = subprocess.Popen([os.environ["POSTGRES"] + "/psql", "-q"], stdin=subprocess.PIPE, text=True)
while True:
    queue.sendall(b"BLPOP orders 0\r\n")
    lines = [answers.readline() for _ in range(5)]
    order = int(lines[4])
    print(f"insert into orders values ({order});", file=psql.stdin, flush=True)
    print("packed", order, flush=True)
